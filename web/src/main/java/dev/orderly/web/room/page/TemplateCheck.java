package dev.orderly.web.room.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.orderly.web.page.Languages;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of a template beyond its syntax. Each error names the line. */
final class TemplateCheck implements Mustache.Visitor {
    private static final Set<String> NAMES = names();
    private static final Pattern RAW = Pattern.compile("\\{\\{(?:\\{\\s*([\\w.]+)\\s*}|&\\s*([\\w.]+)\\s*)}}");
    private static final Set<String> MARKUP = Set.of("style", "script", "data");

    private final String file;
    private final String source;

    TemplateCheck(String file, String source) {
        this.file = file;
        this.source = source;
    }

    void check(Template template) {
        checkBlocks();
        checkRaw();
        template.visit(this);
    }

    @Override
    public void visitText(String text) {}

    @Override
    public void visitVariable(String name) {
        if (!NAMES.contains(name)) {
            throw refused(at(name), "there is no value " + name, "use one of " + NAMES.stream().sorted().toList());
        }
        if (MARKUP.contains(name) && !source.contains("{{{" + name + "}}}")) {
            throw refused(at(name), name + " is markup", "write {{{" + name + "}}}, with three braces");
        }
    }

    @Override
    public boolean visitInclude(String name) {
        throw refused(at(name), "a template cannot include another template (" + name + ")", "put its text here");
    }

    @Override
    public boolean visitSection(String name) {
        visitVariable(name);
        return true;
    }

    @Override
    public boolean visitInvertedSection(String name) {
        return visitSection(name);
    }

    /** Escaping for HTML gives no protection inside a style or script. */
    private void checkBlocks() {
        Matcher block = ContentPolicy.BLOCK.matcher(source);
        while (block.find()) {
            String content = block.group(3).strip();
            boolean data = ContentPolicy.isData(block.group(2));
            if (content.contains("{{") && !(data ? content.equals("{{{data}}}") : isOurs(block.group(3)))) {
                throw refused(block.start(3) + block.group(3).indexOf("{{"),
                        "a " + block.group(1) + " cannot hold values,"
                                + " which are escaped for HTML only",
                        "let your script read them from the page, and leave"
                                + " {{{style}}}, {{{script}}} and {{{data}}} alone in their elements");
            }
        }
    }

    private void checkRaw() {
        Matcher raw = RAW.matcher(source);
        while (raw.find()) {
            String name = raw.group(1) == null ? raw.group(2) : raw.group(1);
            if (!MARKUP.contains(name)) {
                throw refused(raw.start(), name + " is text, not markup", "write {{" + name + "}}, with two braces");
            }
        }
    }

    private static boolean isOurs(String content) {
        return content.equals("{{{style}}}") || content.equals("{{{script}}}");
    }

    private int at(String name) {
        Matcher use = Pattern.compile("\\{\\{[{&#^>/\\s]*" + Pattern.quote(name) + "\\s*}").matcher(source);
        return use.find() ? use.start() : 0;
    }

    private IllegalArgumentException refused(int at, String rule, String remedy) {
        long line = 1 + source.substring(0, at).chars().filter(c -> c == '\n').count();
        return new IllegalArgumentException(
                "The waiting page " + file + ", line " + line + ": " + rule + "; " + remedy);
    }

    private static Set<String> names() {
        Set<String> names = new HashSet<>(PageConstants.NAMES);
        for (TemplateSlot slot : TemplateSlot.values()) {
            if (slot != TemplateSlot.NOW) {
                names.add(slot.key());
            }
        }
        for (PageKind kind : PageKind.values()) {
            names.add(kind.wire());
        }
        for (String key : Languages.ENGLISH.keys()) {
            if (!key.contains(".")) {
                names.add("t." + key);
            }
        }
        return Set.copyOf(names);
    }
}
