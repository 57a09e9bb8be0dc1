#!/usr/bin/env bash
# Runs every example in release, and writes a page with what they draw: `target/gallery/index.html`.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
gallery=target/gallery
mkdir -p "$gallery"
rm -f "$gallery"/*.svg "$gallery"/index.html

for example in examples/*.rs; do
    name=$(basename "$example" .rs)
    echo "$name" >&2
    cargo run --quiet --release --example "$name" >"$gallery/$name.txt"
done

# The first paragraph of an example's documentation, as HTML.
about() {
    awk '!sub(/^\/\/! /, "") { exit } { print }' "examples/$1.rs" |
        sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/`\([^`]*\)`/<code>\1<\/code>/g'
}

# The example that draws a picture: the one with the longest name that its name begins with.
drawn_by() {
    local picture example longest=
    picture=$(basename "$1" .svg)
    for example in examples/*.rs; do
        example=$(basename "$example" .rs)
        case "$picture" in "$example" | "${example}_"*)
            ((${#example} > ${#longest})) && longest=$example ;;
        esac
    done
    echo "$longest"
}

{
    cat <<'HEAD'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Gallery</title>
<style>
body { font-family: sans-serif; max-width: 80rem; margin: 1rem auto; padding: 0 1rem; }
figure { display: inline-block; margin: .5rem; vertical-align: top; max-width: 100%; }
img { max-width: 100%; height: auto; border-radius: 6px; }
</style>
<h1>Gallery</h1>
HEAD
    for example in examples/*.rs; do
        name=$(basename "$example" .rs)
        printf '<h2 id="%s">%s</h2>\n<p>%s</p>\n' "$name" "$name" "$(about "$name")"
        for picture in "$gallery/$name.svg" "$gallery/${name}_"*.svg; do
            file=$(basename "$picture")
            if [ -e "$picture" ] && [ "$(drawn_by "$picture")" = "$name" ]; then
                printf '<figure><img src="%s" alt="%s"><figcaption>%s</figcaption></figure>\n' "$file" "$file" "$file"
            fi
        done
    done
    echo '</html>'
} >"$gallery/index.html"
echo "$PWD/$gallery/index.html"
