package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.GroupPage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dead letters by error, and groups of FIFO queues. */
final class SearchJson {
    private SearchJson() {}

    /** Errors of dead letters. */
    @Doc(name = "DeadErrors")
    record DeadErrors(List<DeadError> errors, @Doc("Whether these are all errors.") boolean complete) {
        static DeadErrors of(DeadLetterGroups found) {
            return new DeadErrors(found.groups().stream().map(DeadError::of).toList(), found.complete());
        }
    }

    /** Dead letters of one error. */
    record DeadError(String queue, @Doc("Fingerprint of the error, for `GET /jobs` and `POST /bulk`.") String error,
            @Doc("What the summaries have in common.") String shape, long count,
            @Doc("Whether counting stopped at `count`.") boolean atLeast, End first, End last) {
        private static DeadError of(DeadLetterGroups.Group group) {
            return new DeadError(group.queue().value(), group.error().toString(), group.shape(), group.count(),
                    group.atLeast(), End.of(group.first()), End.of(group.last()));
        }
    }

    /** The end of a job. */
    @Doc(name = "DeadLetterEnd")
    record End(JobId id, Instant pushedAt, @Nullable Instant diedAt, @Nullable String summary) {
        private static End of(JobView job) {
            return new End(job.id(), job.pushedAt(), job.endedAt(),
                    job.failure() == null ? null : job.failure().summary());
        }
    }

    /** A page of groups. */
    @Doc(name = "Groups")
    record Groups(List<Group> groups, @Doc("Whether all groups of the queue were looked at.") boolean complete,
            @Doc("Groups that were looked at.") int looked,
            @Doc("By name: the name after which the next page begins.") @Nullable String next) {
        static Groups of(GroupPage page) {
            return new Groups(page.groups().stream().map(Group::of).toList(), page.complete(), page.looked(),
                    page.next());
        }
    }

    /** A group. */
    record Group(String group, GroupPage.Phase phase, @Doc("Unsettled jobs.") long jobs,
            @Doc("Whether counting stopped at `jobs`.") boolean atLeast,
            @Doc("The oldest unsettled job.") @Nullable JobId oldest,
            @Doc("The dead letter that halts the group.") @Nullable JobId haltedBy,
            @Doc("The moment of the retry of the first job.") @Nullable Instant until) {
        private static Group of(GroupPage.Group group) {
            return new Group(group.name(), group.phase(), group.jobs(), group.atLeast(), group.oldest(),
                    group.haltedBy(), group.until());
        }
    }
}
