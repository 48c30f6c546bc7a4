//! A step in, its instructions with the offer of elicitation that its tag asks for out.

use crate::model::instruction::{Act, Instruction};
use crate::syntax::Element;

/// Adds the offer of elicitation to the end of a step that must make it, before a jump that leads away.
pub(super) fn with_offer(element: &Element, mut body: Vec<Instruction>) -> Vec<Instruction> {
    let is_made = body.iter().any(|each| matches!(each.act, Act::Elicit));
    if element.value("elicit").is_some_and(|value| value == "true") && !is_made {
        let leads_away = |each: &Instruction| {
            each.condition.is_none() && matches!(each.act, Act::Goto { .. } | Act::Return { .. } | Act::Halt { .. })
        };
        let end = body.iter().rposition(|each| !leads_away(each)).map_or(0, |at| at + 1);
        body.insert(
            end,
            Instruction {
                act: Act::Elicit,
                span: element.open,
                condition: None,
            },
        );
    }
    body
}
