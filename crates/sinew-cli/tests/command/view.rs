//! `sinew view`: what is refused before it starts, its first line, and its end.

use super::sinew;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

fn refused(arguments: &[&str], folder: &Path, says: &str) {
    let output = sinew(["view", "--no-open"]).args(arguments).current_dir(folder).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
    assert!(complaint.contains(says), "{arguments:?}: expected `{says}` in: {complaint}");
    assert!(output.stdout.is_empty(), "no address: {}", String::from_utf8_lossy(&output.stdout));
}

/// A debug build reads the page from here.
fn page_is_built() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sinew-viewer/web/dist/index.html").exists()
}

#[test]
fn bad_scenes_and_places_are_refused_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bad.toml"), "frames = 2\nyung = 3\n").unwrap();
    fs::create_dir(at.join("other")).unwrap();
    let good = "[material]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n[[body]]\n\
                mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }\n";
    fs::write(at.join("good.toml"), good).unwrap();
    refused(&["trampolin"], at, "did you mean `trampoline`?");
    refused(&["bad.toml"], at, "bad.toml:2");
    refused(&["missing.toml"], at, "missing.toml");
    refused(&["good.toml", "--folder", "other"], at, "not below --folder");
    refused(&["--folder", "nowhere"], at, "--folder nowhere");
    refused(&["--folder", "good.toml"], at, "not a folder");
}

#[test]
fn bad_ports_and_threads_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    refused(&["--port", "65536"], folder.path(), "--port");
    refused(&["--port=-1"], folder.path(), "--port");
    refused(&["--port", "http"], folder.path(), "--port");
    refused(&["--threads", "0"], folder.path(), "whole number from 1 to 1024");
}

#[test]
fn help_names_every_option() {
    let output = sinew(["view", "--help"]).output().unwrap();
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success());
    for option in ["[SCENE]", "--port", "--no-open", "--folder", "--threads"] {
        assert!(help.contains(option), "{option}: {help}");
    }
}

#[test]
fn without_a_page_it_says_what_to_do() {
    if page_is_built() {
        return;
    }
    let assert = sinew(["view", "--no-open", "trampoline"]).assert().code(1);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.contains("run `cargo xtask view`"), "{complaint}");
}

#[cfg(unix)]
#[test]
fn the_first_line_is_the_address_and_ctrl_c_is_a_good_end() {
    if !page_is_built() {
        eprintln!("skipped: the page is not built");
        return;
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["view", "tetrahedron", "--no-open", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.next().unwrap().unwrap();
    let (host, token) = address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    assert!(host.starts_with("127.0.0.1:") && token.len() == 32, "{address}");

    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<script"), "{answer}");

    // The port is taken now.
    let (_, port) = host.split_once(':').unwrap();
    refused(&["--port", port], Path::new("."), &format!("port {port} cannot be used"));

    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(lines.next().is_none(), "the address is all that goes to stdout");
}
