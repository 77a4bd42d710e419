//! The page of the gallery: one file of HTML that needs nothing but the pictures beside it.

use super::beside::Beside;
use super::card::Card;
use crate::table::number;
use std::fmt::Write;

/// The page with places for the title, the cards and their number.
const PAGE: &str = include_str!("page.html");

/// The page; `live` is the address of the viewer, if there is one.
pub fn page(cards: &[Card], live: Option<&str>) -> String {
    let all: String = cards.iter().map(|card| of(card, live)).collect();
    // The texts of scenes come last: whatever is in them is not replaced any more.
    PAGE.replace("{{count}}", &cards.len().to_string())
        .replace("{{version}}", env!("CARGO_PKG_VERSION"))
        .replace("{{cards}}", &all)
}

fn of(card: &Card, live: Option<&str>) -> String {
    let (name, folder, title) = (escaped(&card.name), escaped(&card.folder), escaped(&card.title));
    let mut facts = format!("{} vertices, {} elements", card.vertices, card.elements);
    if card.bones > 0 {
        let _ = write!(facts, ", {}, {}", counted(card.bones, "bone"), counted(card.joints, "joint"));
    }
    let [took, step] = card.step.map(number);
    let _ = write!(facts, "; {} s in steps of {step} ms, {took} ms each", number(card.seconds));
    let open = match live {
        Some(address) => {
            let scene = encoded(&card.name);
            let address = escaped(address);
            format!("<a class=\"live\" href=\"{address}?scene={scene}#scene={scene}\">Open live</a>")
        }
        None => command(&format!("sinew view {name}"), "Copy the command that opens it live"),
    };
    // What is not shown is not loaded, so each page fetches its own.
    format!(
        "<article class=\"card\" id=\"{folder}\">\n\
         {}{}<div class=\"text\"><h2>{title}</h2>\n<p class=\"look\">{}</p>\n<p class=\"facts\">{}</p>\n{}\
         {}{open}\n\
         <details><summary>Energy over time</summary><img src=\"{folder}/energy.svg\" alt=\"Energy of {title} over time\" width=\"900\" height=\"520\" loading=\"lazy\"></details>\n\
         <details><summary>Scene file</summary><div class=\"file\"><button class=\"copy\" type=\"button\">Copy</button><pre><code>{}</code></pre></div></details>\n\
         </div></article>\n",
        player(&folder, ["picture", "animation"], &title),
        others(card, &folder, &title),
        escaped(&card.description),
        escaped(&facts),
        meter(card),
        command(&format!("sinew run {name} --out {folder} --format gif"), "Copy the command that makes it"),
        escaped(&card.toml),
    )
}

/// A picture that plays when it is chosen: the names of its files without their endings, and what it shows.
fn player(folder: &str, [picture, animation]: [&str; 2], title: &str) -> String {
    // What is not shown is not loaded, so each page fetches its own.
    let still = |page: &str, ending: &str| {
        format!(
            "<img class=\"for-{page}\" src=\"{folder}/{picture}{ending}.png\" alt=\"{title}\" width=\"720\" height=\"450\" loading=\"lazy\">"
        )
    };
    format!(
        "<button class=\"picture\" type=\"button\" aria-pressed=\"false\" aria-label=\"Play {title}\" data-gif=\"{folder}/{animation}.gif\">\
         {}{}<span class=\"hint\" aria-hidden=\"true\">▶</span></button>\n",
        still("light", ""),
        still("dark", "-dark"),
    )
}

/// The same scene in other simulators.
fn others(card: &Card, folder: &str, title: &str) -> String {
    let one = |other: &Beside| {
        let file = escaped(&other.file);
        let name = escaped(&other.name);
        let shown = player(folder, [&file, &file], &format!("{title} in {name}"));
        format!(
            "<figure>{shown}<figcaption>The same in {name}: {}</figcaption></figure>\n",
            escaped(&other.configuration)
        )
    };
    match &card.beside[..] {
        [] => String::new(),
        all => format!("<div class=\"beside\">{}</div>\n", all.iter().map(one).collect::<String>()),
    }
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn command(line: &str, label: &str) -> String {
    format!(
        "<p class=\"command\"><code>{line}</code><button class=\"copy\" type=\"button\" aria-label=\"{label}\">Copy</button></p>\n"
    )
}

/// Where the energy went: what is left of what there was and what was added, and what took the rest.
fn meter(card: &Card) -> String {
    let gone: f64 = card.dissipated.iter().map(|(_, joules)| joules.abs()).sum();
    // Rounding is nothing that someone added or took.
    let scale = card.energy.iter().chain([&gone]).fold(0.0, |most: f64, joules| most.max(joules.abs()));
    let list = |entries: &[(String, f64)]| {
        let mut largest = entries.to_vec();
        largest.retain(|(_, joules)| joules.abs() > 1e-9 * scale);
        largest.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let shown: Vec<String> = largest
            .iter()
            .take(3)
            .map(|(cause, joules)| format!("{} J {}", number(*joules), cause.replace('_', " ")))
            .collect();
        shown.join(", ")
    };
    let mut parts = vec![format!("unaccounted for: {} of the energy in motion", number(card.drift))];
    for (what, entries) in [("added", list(&card.added)), ("taken", list(&card.dissipated))] {
        if !entries.is_empty() {
            parts.push(format!("{what}: {entries}"));
        }
    }
    let (share, caption) = match card.kept {
        Some(kept) if kept >= 1.0 => (1.0, "all of the visible motion is left at the end".to_owned()),
        Some(kept) => {
            (kept.clamp(0.0, 1.0), format!("{:.0} % of the visible motion is left at the end", 100.0 * kept))
        }
        None => (1.0 - card.drift.clamp(0.0, 1.0), "energy accounted for".to_owned()),
    };
    format!(
        "<div class=\"meter\" role=\"meter\" aria-valuemin=\"0\" aria-valuemax=\"100\" aria-valuenow=\"{:.0}\" aria-label=\"{caption}\"><i style=\"width:{:.1}%\"></i></div>\n\
         <p class=\"energy\">{caption}; {}</p>\n",
        100.0 * share,
        100.0 * share,
        escaped(&parts.join("; ")),
    )
}

/// The text as it stands between tags or in a quoted attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The text as a value in an address.
fn encoded(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~');
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> Card {
        Card {
            name: "a/b".into(),
            folder: "a-b".into(),
            title: "<script>".into(),
            description: "\"quoted\" & {{cards}}".into(),
            toml: "x = \"</pre>\"".into(),
            version: String::new(),
            method: String::new(),
            vertices: 4,
            elements: 1,
            bones: 0,
            joints: 0,
            seconds: 1.0,
            step: [0.5, 33.0],
            energy: [1.0, 0.0, 0.0],
            added: vec![("contacts".into(), 1e-15)],
            dissipated: vec![("friction".into(), 2.0)],
            drift: 1e-15,
            kept: Some(0.9),
            beside: Vec::new(),
        }
    }

    #[test]
    fn nothing_of_a_scene_becomes_markup() {
        let text = page(&[card()], Some("https://example.org/?a=1&b"));
        assert!(!text.contains("<script>\""), "the title is escaped");
        assert!(text.contains("&lt;script&gt;") && text.contains("x = &quot;&lt;/pre&gt;&quot;"));
        assert!(text.contains("scene=a%2Fb"));
        assert!(
            text.contains("taken: 2.000 J friction")
                && !text.contains("J contacts")
                && text.contains("90 % of the visible motion")
        );
    }

    #[test]
    fn what_another_simulator_makes_of_it_stands_beside_it() {
        assert!(!page(&[card()], None).contains("figure>"));
        let other =
            Beside { name: "Jolt <1>".into(), configuration: "40 iterations".into(), file: "jolt".into() };
        let text = page(&[Card { beside: vec![other], ..card() }], None);
        assert!(text.contains("The same in Jolt &lt;1&gt;: 40 iterations"));
        assert!(text.contains("a-b/jolt-dark.png") && text.contains("data-gif=\"a-b/jolt.gif\""));
    }

    #[test]
    fn without_a_viewer_there_is_a_command_and_no_link() {
        let text = page(&[card()], None);
        assert!(text.contains("sinew view a/b") && !text.contains("class=\"live\""));
    }
}
