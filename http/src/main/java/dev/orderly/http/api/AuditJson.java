package dev.orderly.http.api;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.http.openapi.Doc;
import dev.orderly.job.QueueName;
import dev.orderly.operate.Caller;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the audit log. */
@Doc(name = "Audit")
record AuditJson(List<Entry> entries,
        @Doc("Value of `before` for the next page; null if this was the last.") @Nullable String next) {
    /** An entry. */
    @Doc(name = "AuditEntry")
    record Entry(String id, Instant at, Identity.Kind kind,
            @Doc("The token, the user of the server's process for its local credential, or the user that a proxy or the"
                    + " application around the dashboard named.") String name,
            String address, @Doc("The operationId; also login and logout.") String operation,
            @Doc("Such as `queue mails`.") String object, @Nullable String before,
            @Doc("The state after the change, or why there was none.") @Nullable String after,
            @Doc("`unknown`: under way, or the node died or lost the store's answer in"
                    + " between.") AuditEntry.Outcome outcome) {
        static Entry of(AuditEntry entry) {
            AuditAct act = entry.act();
            return new Entry(Long.toString(entry.id()), act.at(), act.kind(), act.name(), act.address(),
                    act.operation(), act.object(), act.before(), entry.after(), entry.outcome());
        }
    }

    /** The identity of a caller. */
    @Doc(name = "Identity")
    record Who(@Doc(facets = "enum: ['token', 'local', 'proxy']") Identity.Kind kind, String name, Role role,
            List<String> queues,
            @Doc("In a session: the value of `X-CSRF-Token` for changes.") @Nullable String csrf) {
        static Who of(Caller caller) {
            Identity who = caller.identity();
            return new Who(who.kind(), who.name(), who.role(),
                    who.queues().stream().sorted().map(QueueName::value).toList(), caller.csrf());
        }
    }
}
