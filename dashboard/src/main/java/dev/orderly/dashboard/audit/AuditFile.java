package dev.orderly.dashboard.audit;

import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.text.VisibleText;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Entries of the audit log as a file. */
final class AuditFile {
    private static final String FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20";

    private AuditFile() {}

    /** One JSON object a line, with the members of the API. */
    static String ndjson(List<AuditEntry> entries) {
        return entries.stream().map(entry -> {
            AuditAct act = entry.act();
            return JsonMapper.shared().createObjectNode().put("id", Long.toString(entry.id()))
                    .put("at", act.at().toString()).put("kind", act.kind().text()).put("name", act.name())
                    .put("address", act.address()).put("operation", act.operation()).put("object", act.object())
                    .put("before", act.before()).put("after", entry.after()).put("outcome", entry.outcome().text())
                    .toString();
        }).map(line -> VisibleText.of(line) + "\n").collect(Collectors.joining());
    }

    /** RFC 4180, with a head. */
    static String csv(List<AuditEntry> entries) {
        String head = "id,at,kind,name,address,operation,object,before,after,outcome\r\n";
        return head + entries.stream().map(entry -> {
            AuditAct act = entry.act();
            return Stream.of(Long.toString(entry.id()), act.at().toString(), act.kind().text(), act.name(),
                    act.address(), act.operation(), act.object(), act.before(), entry.after(),
                    entry.outcome().text()).map(AuditFile::cell).collect(Collectors.joining(",")) + "\r\n";
        }).collect(Collectors.joining());
    }

    /**
     * A cell that begins like a formula gets a quote in front, since spreadsheets would run it: also after blanks, and
     * in the wide forms of these characters, which some read alike.
     */
    private static String cell(@Nullable String value) {
        String text = VisibleText.of(Objects.requireNonNullElse(value, ""));
        String begin = text.replaceFirst("^[\\s\\h]+", "");
        String safe = begin.isEmpty() || FORMULA.indexOf(begin.charAt(0)) < 0 ? text : "'" + text;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
