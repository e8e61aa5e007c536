package dev.orderly.job.store;

import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchView;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules of members, the same in all stores. */
public final class BatchRules {
    private BatchRules() {}

    /** Those of the jobs that are to be members of a batch. */
    public static List<NewJob> members(Collection<NewJob> jobs) {
        return jobs.stream().filter(job -> job.terms().isMember()).toList();
    }

    /** The link of a member. */
    public static BatchLink link(NewJob member) {
        return Objects.requireNonNull(member.terms().batch(), "batch");
    }

    /**
     * Checks that a batch takes a member.
     *
     * @param batch the batch as it is, locked until the push commits; null if it is not kept
     * @param ofMember whether the job that pushes is a running member of the batch, and stays so until the push commits
     * @throws PushRefusedException if it does not
     */
    public static void check(BatchLink link, @Nullable BatchView batch, boolean ofMember) {
        if (batch == null || !batch.name().equals(link.name())) {
            throw refused(link, " is not known: open it first, with its callback, or correct its name");
        }
        switch (batch.state()) {
            case OPEN -> {
            }
            case CLOSED -> {
                if (!ofMember) {
                    throw refused(link, " is closed, so only its running members push further ones: close a batch after"
                            + " the last push, or open another one with another name");
                }
            }
            case CANCELLED -> throw refused(link, " is cancelled and takes no members: open another one with another"
                    + " name");
            case FINISHED -> throw refused(link, " is finished, and its callback was pushed: open another one with"
                    + " another name");
        }
    }

    private static PushRefusedException refused(BatchLink link, String why) {
        return new PushRefusedException(Reason.BATCH, "Batch " + link.name() + why);
    }
}
