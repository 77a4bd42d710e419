//! External programs: started, watched, and ended when their time is up.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a command to its end, with its output in `log`. The error is for a cell of a table: a few words, without a path.
pub fn run(command: &mut Command, log: &Path, limit: Duration) -> Result<(), String> {
    let program =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let open = || File::create(log).map_err(|error| format!("no log: {error}"));
    let out = open()?;
    let err = out.try_clone().map_err(|error| format!("no log: {error}"))?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .spawn()
        .map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    let begin = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begin.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("`{program}` did not end within {:.0} s", limit.as_secs_f64()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(format!("`{program}`: {error}")),
        }
    };
    if status.success() {
        return Ok(());
    }
    Err(format!("`{program}` ended with {status}: {}", last_words(log)))
}

/// A driver's note for the table: the text after `sinew-note: ` in its log.
pub fn note(log: &Path) -> String {
    said(log, "sinew-note: ")
}

/// The rest of the first line of a log that starts with this; empty if there is none.
pub fn said(log: &Path, start: &str) -> String {
    let text =
        std::fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_default().trim().to_owned()
}

/// The last meaningful line, shortened.
fn last_words(log: &Path) -> String {
    let text =
        std::fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let said = |line: &&str| !line.trim().is_empty();
    // Errors come before remarks of the package manager.
    let error = text.lines().rfind(|line| line.to_lowercase().contains("error") && said(line));
    let line = error.or_else(|| text.lines().rfind(said)).unwrap_or("it said nothing");
    line.trim().chars().take(120).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(text: &str, limit: f64) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        run(Command::new("sh").args(["-c", text]), &folder.path().join("log"), Duration::from_secs_f64(limit))
    }

    #[test]
    fn drivers_may_leave_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut shell = Command::new("sh");
        run(shell.args(["-c", "echo hello; echo 'sinew-note: a remark'"]), &log, Duration::from_secs(5))
            .unwrap();
        assert_eq!(note(&log), "a remark");
        assert_eq!(note(&folder.path().join("nothing")), "");
    }

    #[test]
    fn failures_say_what_the_program_said() {
        assert_eq!(shell("exit 0", 5.0), Ok(()));
        assert!(
            shell("echo Error: no wheel; echo bye; exit 3", 5.0).unwrap_err().contains("Error: no wheel")
        );
        assert!(shell("sleep 30", 0.05).unwrap_err().contains("did not end within"));
        let missing = run(
            &mut Command::new("no-such-program"),
            &std::env::temp_dir().join("sinew-no-such-program.log"),
            Duration::from_secs(1),
        );
        assert!(missing.unwrap_err().contains("cannot be started"));
    }
}
