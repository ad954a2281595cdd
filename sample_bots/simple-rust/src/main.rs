//! A bot for Gin Arena: the server. What it plays is decided in policy.rs.

mod policy;

/// The messages and the service of player.proto.
pub mod arena {
    tonic::include_proto!("arena.v1");
}

use std::error::Error;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::{env, panic, process};

use arena::player_server::{Player, PlayerServer};
use arena::{Game, HelloRequest, HelloResponse, PlayRequest, PlayResponse};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_stream::{Stream, StreamExt};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming};

/// Serves arena.v1.Player. `ended` is told when a stream has ended.
struct Bot {
    ended: Arc<Notify>,
}

#[tonic::async_trait]
impl Player for Bot {
    type PlayStream = Pin<Box<dyn Stream<Item = Result<PlayResponse, Status>> + Send>>;

    async fn hello(&self, _: Request<HelloRequest>) -> Result<Response<HelloResponse>, Status> {
        Ok(Response::new(HelloResponse {
            protocol_version: 1,
            name: "simple-rust".into(),
            version: "1.0".into(),
            games: vec![
                Game::Gin.into(),
                Game::ThreeHand.into(),
                Game::Oklahoma.into(),
            ],
            ..Default::default()
        }))
    }

    /// Answers each request that has turns with one response, until the arena closes the stream or is gone.
    async fn play(
        &self,
        requests: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let goodbye = Goodbye(self.ended.clone());
        let answers = requests
            .into_inner()
            .map_while(Result::ok)
            .filter(|request| !request.turns.is_empty())
            .map(move |request| {
                let _ = &goodbye; // it goes with the stream
                Ok(answer(&request))
            });
        Ok(Response::new(Box::pin(answers)))
    }
}

fn answer(request: &PlayRequest) -> PlayResponse {
    let decisions = request.turns.iter().map(policy::decide).collect();
    PlayResponse { decisions, link: None }
}

/// Tells that a stream has ended, by its own end.
struct Goodbye(Arc<Notify>);

impl Drop for Goodbye {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// Waits for SIGTERM, where there are signals.
async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut term) = signal(SignalKind::terminate()) {
            term.recv().await;
        }
    }
    #[cfg(not(unix))]
    pending::<()>().await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |failure| {
        report(failure); // a bot that has failed ends, with its message
        process::exit(1);
    }));
    let listen = env::var("ARENA_LISTEN").unwrap_or_default();
    tokio::select! {
        served = serve(&listen) => served,
        () = terminated() => Ok(()),
    }
}

/// Serves until the arena has said goodbye.
async fn serve(listen: &str) -> Result<(), Box<dyn Error>> {
    let ended = Arc::new(Notify::new());
    let player = PlayerServer::new(Bot {
        ended: ended.clone(),
    });
    let server = Server::builder();
    match listen.split_once(':') {
        #[cfg(unix)]
        Some(("unix", path)) => {
            let listener = tokio::net::UnixListener::bind(path)?;
            let incoming = tokio_stream::wrappers::UnixListenerStream::new(listener);
            server
                .serve_with_incoming_shutdown(player, incoming, ended.notified())
                .await?;
        }
        Some(("tcp", address)) => {
            let listener = TcpListener::bind(address).await?;
            println!("ARENA-READY {}", listener.local_addr()?);
            let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
            let goodbye = async {
                if address.ends_with(":0") {
                    ended.notified().await;
                } else {
                    pending::<()>().await; // started by hand on a port of its own: wait for the next arena
                }
            };
            server
                .serve_with_incoming_shutdown(player, incoming, goodbye)
                .await?;
        }
        _ => {
            return Err("set ARENA_LISTEN to unix:/path or tcp:host:port; the arena does it when it starts a bot".into());
        }
    }
    Ok(())
}
