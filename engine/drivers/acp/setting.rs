//! What a conversation lets one choose in, the question that chooses out: a mode that fits the turn, and a model.

use super::super::heard::{at, text};
use super::permit::Permit;
use crate::host::Permission;
use serde_json::{Value as Json, json};

/// Modes that change nothing, by the names agents give them.
const READING: &[&str] = &["readonly", "plan"];
/// Modes that change files without asking, and run commands only where they ask or confine them.
const EDITING: &[&str] = &["acceptedits", "autoedit", "auto"];
/// Modes that ask nothing.
const ALL: &[&str] = &["bypasspermissions", "fullaccess", "yolo"];

/// A question that sets something: its method, and what goes with it.
pub(super) type Choice = (&'static str, Json);

/// Chooses the mode that fits what a turn may do, from those that are offered; none where none fits or it is set.
pub(super) fn mode(session: &str, offer: &Json, permit: &Permit<'_>) -> Option<Choice> {
    let wanted: &[&[&str]] = match (permit.is_reading, permit.settings.permission) {
        (true, _) => &[READING],
        // A mode that does not ask would pass over what is denied.
        (false, _) if !permit.settings.deny.is_empty() => &[],
        (false, Permission::Edit) => &[EDITING],
        (false, Permission::All) => &[ALL, EDITING],
    };
    let (current, offered) = offered(offer, ("modes", "availableModes", "id", "currentModeId"), "mode")?;
    let mut names = wanted.iter().copied().flatten();
    let fitting = names.find_map(|name| offered.ids.iter().find(|id| plain(id) == *name));
    let id = fitting.filter(|id| Some(**id) != current)?;
    Some(match offered.option {
        Some(option) => chosen(session, option, id),
        None => ("session/set_mode", json!({"sessionId": session, "modeId": id})),
    })
}

/// Chooses a model by its name; `Err` where it is not offered.
pub(super) fn model(session: &str, offer: &Json, name: &str) -> Result<Option<Choice>, ()> {
    let (current, offered) = offered(
        offer,
        ("models", "availableModels", "modelId", "currentModelId"),
        "model",
    )
    .ok_or(())?;
    if current == Some(name) {
        return Ok(None);
    }
    let id = offered.ids.iter().find(|id| **id == name).ok_or(())?;
    Ok(Some(match offered.option {
        Some(option) => chosen(session, option, id),
        None => ("session/set_model", json!({"sessionId": session, "modelId": id})),
    }))
}

/// What can be chosen.
struct Offered<'j> {
    /// The option it belongs to, where it is one of many.
    option: Option<&'j str>,
    ids: Vec<&'j str>,
}

/// Finds what is set and what is offered: in a list of its own, or among the options.
fn offered<'j>(
    offer: &'j Json,
    (list, items, id, current): (&str, &str, &str, &str),
    category: &str,
) -> Option<(Option<&'j str>, Offered<'j>)> {
    if let Some(own) = at(offer, &[list, items]).and_then(Json::as_array) {
        let ids = own.iter().filter_map(|item| text(item, &[id])).collect();
        return Some((text(offer, &[list, current]), Offered { option: None, ids }));
    }
    let options = at(offer, &["configOptions"])?.as_array()?;
    let option = options.iter().find(|it| text(it, &["category"]) == Some(category))?;
    let values = at(option, &["options"])?.as_array()?.iter();
    // Values may come in groups.
    let flat = values.flat_map(|it| match at(it, &["options"]).and_then(Json::as_array) {
        Some(group) => group.iter().collect::<Vec<_>>(),
        None => vec![it],
    });
    let ids = flat.filter_map(|it| text(it, &["value"])).collect();
    let offered = Offered {
        option: Some(text(option, &["id"])?),
        ids,
    };
    Some((text(option, &["currentValue"]), offered))
}

fn chosen(session: &str, option: &str, value: &str) -> Choice {
    (
        "session/set_config_option",
        json!({"sessionId": session, "configId": option, "value": value}),
    )
}

/// Returns a name as all agents could write it: `https://…#plan`, `read-only`, `autoEdit`.
fn plain(id: &str) -> String {
    let last = id.rsplit(['#', '/']).next().unwrap_or(id);
    last.chars()
        .filter(|each| each.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::permit::Permit;
    use super::{mode, model};
    use crate::host::{AgentSettings, Permission};
    use serde_json::{Value as Json, json};
    use std::path::Path;

    fn modes(current: &str, ids: &[&str]) -> Json {
        let list: Vec<Json> = ids.iter().map(|id| json!({"id": id, "name": "any"})).collect();
        json!({"modes": {"currentModeId": current, "availableModes": list}})
    }

    fn chosen(offer: &Json, is_reading: bool, permission: Permission, deny: &[&str]) -> Option<String> {
        let settings = AgentSettings {
            permission,
            deny: deny.iter().map(|it| (*it).to_owned()).collect(),
            ..AgentSettings::default()
        };
        let permit = Permit {
            is_reading,
            settings: &settings,
            root: Path::new("/"),
        };
        let (method, params) = mode("s", offer, &permit)?;
        let id = params.get("modeId").or(params.get("value")).unwrap();
        Some(format!("{method} {}", id.as_str().unwrap()))
    }

    #[test]
    fn the_mode_fits_what_the_turn_may_do() {
        let claude = modes("default", &["default", "acceptEdits", "plan", "auto"]);
        let codex = modes("read-only", &["read-only", "auto", "full-access"]);
        let set = |id: &str| Some(format!("session/set_mode {id}"));
        assert_eq!(chosen(&claude, true, Permission::All, &[]), set("plan"));
        assert_eq!(chosen(&claude, false, Permission::Edit, &[]), set("acceptEdits"));
        assert_eq!(chosen(&claude, false, Permission::All, &[]), set("acceptEdits"));
        assert_eq!(chosen(&codex, true, Permission::Edit, &[]), None);
        assert_eq!(chosen(&codex, false, Permission::Edit, &[]), set("auto"));
        assert_eq!(chosen(&codex, false, Permission::All, &[]), set("full-access"));
        let url = modes("x#agent", &["x#agent", "x#plan", "x#autopilot"]);
        assert_eq!(chosen(&url, true, Permission::Edit, &[]), set("x#plan"));
        assert_eq!(chosen(&url, false, Permission::All, &[]), None);
    }

    #[test]
    fn where_something_is_denied_the_agent_goes_on_asking() {
        let claude = modes("default", &["default", "acceptEdits", "bypassPermissions"]);
        assert_eq!(chosen(&claude, false, Permission::All, &["git push *"]), None);
    }

    #[test]
    fn a_mode_may_be_an_option_like_others() {
        let offer = json!({"configOptions": [
            {"id": "m", "category": "model", "currentValue": "a/b", "options": [{"value": "a/b"}]},
            {"id": "how", "category": "mode", "currentValue": "build", "options": [
                {"group": "g", "options": [{"value": "build"}, {"value": "plan"}]}
            ]},
        ]});
        assert_eq!(
            chosen(&offer, true, Permission::Edit, &[]),
            Some("session/set_config_option plan".to_owned())
        );
        assert_eq!(chosen(&offer, false, Permission::Edit, &[]), None);
    }

    #[test]
    fn a_model_is_chosen_only_from_what_is_offered() {
        let own =
            json!({"models": {"currentModelId": "one", "availableModels": [{"modelId": "one"}, {"modelId": "two"}]}});
        assert_eq!(model("s", &own, "one"), Ok(None));
        assert_eq!(model("s", &own, "two").unwrap().unwrap().0, "session/set_model");
        assert_eq!(model("s", &own, "three"), Err(()));
        assert_eq!(model("s", &Json::Null, "one"), Err(()));
    }
}
