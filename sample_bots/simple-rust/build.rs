//! Makes the messages and the service of player.proto.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=player.proto");
    let proto = protox::compile(["player.proto"], ["."])?;
    tonic_prost_build::configure()
        .build_client(false)
        .compile_fds(proto)?;
    Ok(())
}
