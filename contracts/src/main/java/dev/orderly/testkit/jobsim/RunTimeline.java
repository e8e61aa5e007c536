package dev.orderly.testkit.jobsim;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What happens in a run, and the first promise that is broken. */
final class RunTimeline {
    private static final int NOTES_MAX = 60;

    private final Turns turns;
    private final List<Note> notes = new ArrayList<>();
    private @Nullable String broken;
    private @Nullable Throwable cause;
    /** The queue or group that the broken promise is of; null for all. */
    private @Nullable String concerns;

    private record Note(long at, @Nullable SimulatedNode node, String subject, String what) {}

    RunTimeline(Turns turns) {
        this.turns = turns;
    }

    /** @param subject a queue, or a {@link TrackedJob#subject subject} for one of its groups; empty for all */
    void note(@Nullable SimulatedNode node, String subject, String what) {
        notes.add(new Note(turns.now(), node, subject, what));
        turns.note(what.hashCode());
    }

    boolean isBroken() {
        return broken != null;
    }

    void broken(String why, @Nullable Throwable thrown) {
        if (broken == null) {
            broken = why;
            cause = thrown;
            note(null, "", "BROKEN: " + why);
        }
    }

    /** @param subject as of {@link #note} */
    void broken(String subject, String why) {
        if (broken == null) {
            concerns = subject;
        }
        broken(why, (Throwable) null);
    }

    /** @param why null if no promise is broken */
    void broken(@Nullable String why, TrackedJob job) {
        if (why != null) {
            broken(job.subject(), job + " " + why);
        }
    }

    /** @throws BrokenJobPromise if a rule was broken */
    void judge() {
        if (broken != null) {
            throw new BrokenJobPromise(broken + "\n" + this, cause);
        }
    }

    @Override
    public String toString() {
        List<Note> told = notes.stream().filter(note -> concerns == null || note.subject.isEmpty()
                || note.subject.equals(concerns) || note.subject.equals(concerns.split(" ", 2)[0])).toList();
        return told.stream().skip(Math.max(0, told.size() - NOTES_MAX)).map(note -> String.format("%9.3f s  %-5s %s%s",
                note.at / 1e9, note.node == null ? "" : note.node.id.value(),
                note.subject.isEmpty() ? "" : note.subject + ": ", note.what)).collect(Collectors.joining("\n"));
    }
}
