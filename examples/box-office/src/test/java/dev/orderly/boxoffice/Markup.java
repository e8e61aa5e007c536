package dev.orderly.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks for errors in markup that a browser would silently accept. */
final class Markup {
    private static final Set<String> VOID = Set.of("meta", "link", "img", "input", "br", "hr");
    private static final Pattern TAG = Pattern
            .compile("<(/?)([a-z][a-z0-9]*)((?:\\s+[a-z-]+(?:=\"[^\"<>]*\")?)*)\\s*>");
    private static final Pattern ID = Pattern.compile("\\sid=\"([^\"]*)\"");
    private static final Pattern REFERENCE = Pattern
            .compile("\\s(?:for|aria-labelledby|aria-describedby|href)=\"#?([a-z][a-z- ]*)\"");

    private Markup() {}

    /** Checks that every element is closed in place, ids are unique and known, fields and pictures have names. */
    static void check(String page) {
        assertThat(page).startsWith("<!DOCTYPE html>\n<html lang=\"en\">");
        Deque<String> open = new ArrayDeque<>();
        Set<String> ids = new HashSet<>();
        String rest = page.substring("<!DOCTYPE html>".length());
        Matcher tag = TAG.matcher(rest);
        int end = 0;
        while (tag.find()) {
            assertThat(rest.substring(end, tag.start())).as("text between tags").doesNotContain("<", ">");
            end = tag.end();
            one(tag.group(1).isEmpty(), tag.group(2), tag.group(3), open, ids);
        }
        assertThat(open).as("elements left open").isEmpty();
        assertThat(rest.substring(end)).isBlank();
        assertThat(page.split("<h1", -1)).as("one heading of the page").hasSize(2);
        Matcher reference = REFERENCE.matcher(rest);
        while (reference.find()) {
            assertThat(ids).as("ids that are referred to").contains(reference.group(1).split(" ", -1));
        }
    }

    private static void one(boolean opens, String name, String attributes, Deque<String> open, Set<String> ids) {
        if (!opens) {
            assertThat(open.poll()).as("the element that </%s> closes", name).isEqualTo(name);
            return;
        }
        if (!VOID.contains(name)) {
            open.push(name);
        }
        Matcher id = ID.matcher(attributes);
        if (id.find()) {
            assertThat(ids.add(id.group(1))).as("id %s is unique", id.group(1)).isTrue();
        }
        if (name.equals("img")) {
            assertThat(attributes).contains(" alt=");
        }
        if (name.equals("input") && !attributes.contains("type=\"hidden\"")) {
            assertThat(attributes.contains(" id=") || open.contains("label")).as("<input%s> has a label", attributes)
                    .isTrue();
        }
        assertThat(attributes).as("no script or style in attributes").doesNotContain(" on", " style=");
    }
}
