//! Lines of an agent in, what it tells, asks and answers out: the one door to the crate that speaks the protocol.
//!
//! The pipes stay with the process, which watches them; here are only lines.

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::{Agent, Channel, Client, Error, TransportFrame, UntypedMessage};
use agent_client_protocol::{is_connection_terminated, is_incoming_transport_closed};
use serde_json::Value as Json;
use tokio::sync::mpsc::UnboundedSender;

/// Whoever hears what an agent says unasked.
pub(super) trait Listener: Send + Sync {
    /// Takes what it tells.
    fn told(&self, method: &str, params: &Json);

    /// Answers what it asks; nothing where that is not known here.
    fn asked(&self, method: &str, params: &Json) -> Option<Json>;
}

/// Why an agent did not answer as it should.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Refusal {
    /// It is gone.
    Gone,
    /// It says why.
    Told {
        /// A number of the protocol, or a status of HTTP.
        code: i32,
        message: String,
        data: Json,
    },
}

/// The end of a wire where questions are put.
pub(super) struct Near(Channel);

/// The end of a wire where lines are.
pub(super) struct Far(Channel);

/// Makes a wire.
pub(super) fn wire() -> (Near, Far) {
    let (near, far) = Channel::duplex();
    (Near(near), Far(far))
}

impl Far {
    /// Splits it: the first takes lines of the agent, and when it is dropped the agent is gone; the second hands on
    /// what is said to it, until the near end is gone.
    pub(super) fn split(
        self,
        words: UnboundedSender<Vec<u8>>,
    ) -> (impl Fn(&[u8]) + Send, impl Future<Output = ()> + Send) {
        let (mut out, into) = self.0.into_parts();
        let inlet = move |line: &[u8]| {
            let frame = TransportFrame::parse_json(&String::from_utf8_lossy(line));
            // Some agents write their log between the messages.
            if matches!(frame, TransportFrame::Single(_)) {
                // Where nobody listens any more the turn is over.
                drop(into.unbounded_send(frame));
            }
        };
        let pump = async move {
            while let Ok(frame) = out.recv().await {
                let Ok(line) = frame.to_json() else { continue };
                if words.send([line.as_bytes(), b"\n"].concat()).is_err() {
                    return;
                }
            }
        };
        (inlet, pump)
    }
}

/// What questions are put through.
pub(super) struct Line(ConnectionTo<Agent>);

impl Near {
    /// Holds a conversation, and closes the wire after it.
    pub(super) async fn hold(self, listener: &dyn Listener, talk: impl AsyncFnOnce(Line)) {
        let over = Client
            .v1()
            .on_receive_notification(
                async |note: UntypedMessage, _| {
                    listener.told(&note.method, &note.params);
                    Ok(())
                },
                agent_client_protocol::on_receive_notification!(),
            )
            .on_receive_request(
                async |question: UntypedMessage, responder, _| match listener.asked(&question.method, &question.params)
                {
                    Some(answer) => responder.respond(answer),
                    None => responder.respond_with_error(Error::method_not_found().data(question.method)),
                },
                agent_client_protocol::on_receive_request!(),
            )
            .connect_with(self.0, async |agent| {
                talk(Line(agent)).await;
                Ok(())
            })
            .await;
        // Whatever broke the wire, the turn is judged by what was heard before.
        drop(over);
    }
}

impl Line {
    /// Puts a question and waits for the answer.
    pub(super) async fn ask(&self, method: &str, params: Json) -> Result<Json, Refusal> {
        let question = UntypedMessage::new(method, params).map_err(refusal)?;
        self.0.send_request(question).block_task().await.map_err(refusal)
    }
}

fn refusal(error: Error) -> Refusal {
    if is_incoming_transport_closed(&error) || is_connection_terminated(&error) {
        return Refusal::Gone;
    }
    Refusal::Told {
        code: error.code.into(),
        message: error.message,
        data: error.data.unwrap_or_default(),
    }
}
