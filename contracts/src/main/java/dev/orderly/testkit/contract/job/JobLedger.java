package dev.orderly.testkit.contract.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks a random run from outside, by job numbers in push order: a job is held by one node at a time and never runs
 * after it was settled for good; in a group each job starts after all earlier ones; attempt numbers grow.
 */
final class JobLedger {
    /** The holder of leased jobs. */
    private static final NodeId NOBODY = new NodeId("nobody");

    private final List<Page> pages = new ArrayList<>();
    private final Map<String, List<Page>> groups = new HashMap<>();

    /** Records an accepted job, which gets the next number. */
    void accepted(@Nullable String group) {
        Page page = new Page(pages.size(), group);
        pages.add(page);
        if (group != null) {
            groups.computeIfAbsent(group, name -> new ArrayList<>()).add(page);
        }
    }

    void handedOut(int number, NodeId node, int attempt) {
        Page page = pages.get(number);
        assertThat(page.ended).as("job %s was settled for good, yet was handed out", number).isFalse();
        assertThat(page.holder).as("holder of job %s, which was handed out to %s", number, node).isNull();
        assertThat(attempt).as("attempt of job %s", number).isGreaterThan(page.attempt);
        page.attempt = attempt;
        page.holder = node;
        if (page.group != null) {
            checkGroup(page, node);
        }
    }

    private void checkGroup(Page page, NodeId node) {
        for (Page other : Objects.requireNonNull(groups.get(page.group))) {
            if (other.number < page.number) {
                assertThat(other.ended || node.equals(other.holder))
                        .as("job %s was handed out before job %s of its group was settled", page.number, other.number)
                        .isTrue();
            } else if (other.number > page.number) {
                assertThat(other.holder)
                        .as("holder of job %s while job %s of its group was handed out", other.number, page.number)
                        .isNull();
            }
        }
    }

    /** Records that a job goes on without a node. */
    void leased(int number) {
        pages.get(number).holder = NOBODY;
    }

    /** Ends an attempt; the job is either settled for good or will run again. */
    void released(int number, boolean forGood) {
        pages.get(number).holder = null;
        pages.get(number).ended = forGood;
    }

    void ended(int number, boolean ended) {
        pages.get(number).ended = ended;
    }

    int attempt(int number) {
        return pages.get(number).attempt;
    }

    private static final class Page {
        private final int number;
        private final @Nullable String group;
        private int attempt;
        private boolean ended;
        private @Nullable NodeId holder;

        Page(int number, @Nullable String group) {
            this.number = number;
            this.group = group;
        }
    }
}
