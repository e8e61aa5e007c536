package dev.orderly.store.copy;

import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.history.HistoryFigures;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.BatchSnapshot;
import dev.orderly.job.store.NewBatch;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.StoredLine;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.text.LocalizedText;
import dev.orderly.text.StoredText;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a copy carries over: values of the domain, the same from every store. Moments are in milliseconds, by the clock
 * of the source. {@link CopySum} covers every component of every record.
 */
public sealed interface CopiedRecord {
    /** Where the record belongs. */
    CopyKind kind();

    /**
     * A queue.
     *
     * @param forgotten whether it was forgotten, and is there for its ended jobs only
     */
    record Queue(QueueName name, boolean paused, boolean halts, boolean forgotten) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.QUEUES;
        }
    }

    /** What operators have set for a key or group of a queue. */
    record KeySetting(QueueName queue, String key, KeySettings settings) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.KEY_SETTINGS;
        }
    }

    /**
     * The part of a job that never changes, without its payload.
     *
     * @param group null on a standard queue
     * @param origin dead letter whose content was pushed again as this job; null for none
     * @param trace a {@link dev.orderly.trace.TraceContext} as stored; null for none
     */
    record Pushed(JobId id, QueueName queue, @Nullable String group, Priority priority, @Nullable UserId user,
            Map<String, String> params, @Nullable JobId origin, @Nullable String trace, JobTerms terms) {
        public Pushed {
            params = Map.copyOf(params);
        }
    }

    /**
     * The attempts of a job so far.
     *
     * @param attempt number of the newest attempt; zero for none
     * @param progress a {@link dev.orderly.store.sql.ColumnCodecs#progress progress} as stored; null for none
     * @param failure cause of the last failed attempt; null for none
     * @param history a {@link dev.orderly.store.sql.AttemptColumn} as stored; null for none
     */
    record Course(int attempt, int failures, @Nullable String progress, @Nullable JobFailure failure,
            @Nullable String history) {
        public Course {
            progress = progress == null ? null : StoredText.repaired(progress);
            history = history == null ? null : StoredText.repaired(history);
        }
    }

    /**
     * A job that is not settled for good, or a dead letter.
     *
     * @param crashes deaths of nodes while the job may have run
     * @param loneCrashes crashes at which no other job of the node may have run
     * @param at moment at which a delayed job is due, or a dead letter died; null for a job that waits
     * @param error the {@link dev.orderly.job.search.ErrorFingerprint} of a dead letter; zero for others
     * @param unique hash of its unique key; null for none
     */
    record Job(Pushed pushed, Course course, State state, int crashes, int loneCrashes, @Nullable Instant at,
            long error, Payload payload, @Nullable DedupeKey unique) implements CopiedRecord {
        /** The states of such a job. */
        public enum State {
            /** Waiting or delayed. */
            OPEN, DEAD,
            /** A dead letter that halts its group. */
            HALTING
        }

        @Override
        public CopyKind kind() {
            return CopyKind.JOBS;
        }
    }

    /**
     * A done or cancelled job.
     *
     * @param done false if it was cancelled
     * @param startedAt moment of the claim of its last attempt; null if it is unknown
     * @param result null if the handler set none
     * @param reason reason of the cancellation; null for none
     */
    record EndedJob(Pushed pushed, Course course, boolean done, Instant endedAt, @Nullable Instant startedAt,
            @Nullable Payload result, @Nullable String reason) implements CopiedRecord {
        public EndedJob {
            reason = reason == null ? null : StoredText.repaired(reason);
        }

        @Override
        public CopyKind kind() {
            return CopyKind.ENDED_JOBS;
        }
    }

    /**
     * A batch: its state, and as it was opened.
     */
    record Batch(BatchSnapshot state, NewBatch opened) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.BATCHES;
        }
    }

    /**
     * A step that a job has done.
     *
     * @param number its place among the steps of the job, from 1
     */
    record Step(JobId job, int number, JobStep step) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.JOB_STEPS;
        }
    }

    /** An event of a job. */
    record Event(JobId job, JobEvent event) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.JOB_EVENTS;
        }
    }

    /**
     * A remembered dedupe key. Its window begins with the push of the job.
     *
     * @param fingerprint null if the key is a hash of the job itself
     */
    record Dedupe(DedupeKey key, @Nullable DedupeKey fingerprint, JobId job) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.DEDUPE_KEYS;
        }
    }

    /**
     * A remembered dedupe key that is kept for a time of its own.
     *
     * @param fingerprint null if the key is a hash of the job itself
     * @param until end of its window
     */
    record Kept(DedupeKey key, @Nullable DedupeKey fingerprint, JobId job, Instant until) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.KEPT_KEYS;
        }
    }

    /**
     * A remembered idempotency key.
     *
     * @param until end of its window
     */
    record Idempotency(DedupeKey key, DedupeKey fingerprint, JobId job, Instant until) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.IDEMPOTENCY_KEYS;
        }
    }

    /** A schedule with its pause and its last runs. */
    record Schedule(ScheduleState state) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.SCHEDULES;
        }
    }

    /** An access token. */
    record Token(StoredToken token) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.ACCESS_TOKENS;
        }
    }

    /** A login. */
    record Session(LoginSession session) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.SESSIONS;
        }
    }

    /** An entry of the audit log. */
    record Audit(AuditEntry entry) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.AUDIT_ENTRIES;
        }
    }

    /** Figures of a subject in a minute, from one source; see {@link dev.orderly.history.HistoryStore}. */
    record Minute(String subject, Instant at, String source, HistoryFigures figures) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.MINUTES;
        }
    }

    /** Figures of a subject in an hour. */
    record Hour(String subject, Instant at, HistoryFigures figures) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.HOURS;
        }
    }

    /** A key with its value. The target gives it a version of its own. */
    record Value(String key, String text, Instant until) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.KEY_VALUES;
        }
    }

    /**
     * A room.
     *
     * @param granted visitors whom an operator admitted and who have not entered yet
     * @param override limits of an operator; null for none
     * @param openings changes of openings by operators
     * @param draws the draws of openings, with their seeds: a copy stays inside the process that makes it
     * @param tiers the lines of a room with tiers, see {@link StoredLine}
     */
    record Room(RoomName name, long epoch, Line line, int granted, RoomMode mode, @Nullable LocalizedText message,
            @Nullable Limits override, List<OpeningChange> openings, DrawLedger draws,
            List<StoredLine> tiers) implements CopiedRecord {
        public Room {
            openings = List.copyOf(openings);
            tiers = List.copyOf(tiers);
        }

        /** The line of the room's epoch. */
        public record Line(long length, long cursor, boolean crowded) {}

        @Override
        public CopyKind kind() {
            return CopyKind.ROOMS;
        }
    }

    /**
     * Used-up tickets of {@value #PLACES} places of a room, at least one of them.
     *
     * @param chunk number of the first place, divided by {@value #PLACES}
     * @param bits 32 bytes; a place has bit {@code place % 8} of byte {@code place % 256 / 8}
     */
    @SuppressWarnings("ArrayRecordComponent") // equals and hashCode below compare the content
    record UsedPlaces(RoomName room, long chunk, byte[] bits) implements CopiedRecord {
        /** The number of places in a chunk. */
        public static final int PLACES = 256;

        /** A chunk without places, to be filled by {@link #add}. */
        public static UsedPlaces none(RoomName room, long chunk) {
            return new UsedPlaces(room, chunk, new byte[PLACES / Byte.SIZE]);
        }

        /** Adds a place of this chunk; only before the record is handed on. */
        public void add(long place) {
            int offset = (int) (place % PLACES);
            bits[offset / Byte.SIZE] |= (byte) (1 << offset % Byte.SIZE);
        }

        public boolean has(int offset) {
            return (bits[offset / Byte.SIZE] & 1 << offset % Byte.SIZE) != 0;
        }

        @Override
        public CopyKind kind() {
            return CopyKind.USED_PLACES;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof UsedPlaces that && room.equals(that.room) && chunk == that.chunk
                    && Arrays.equals(bits, that.bits);
        }

        @Override
        public int hashCode() {
            return 31 * room.hashCode() + Long.hashCode(chunk);
        }
    }

    /**
     * A live pass.
     *
     * @param taken whether its visitor has shown it, which used up the ticket
     */
    record Pass(RoomName room, VisitorId visitor, long place, Instant until, boolean taken) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.PASSES;
        }
    }

    /**
     * A visitor whose tickets and passes are void until a moment.
     *
     * @param movedTo the visitor who has the place now; null if the place was not moved
     */
    record Revocation(RoomName room, VisitorId visitor, Instant until, @Nullable VisitorId movedTo)
            implements
                CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.REVOCATIONS;
        }
    }

    /**
     * A ticket of a lobby.
     *
     * @param leaf what it adds to the root of the draw, 64 hexadecimal digits
     */
    record LobbyTicket(RoomName room, long place, String leaf) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.LOBBY_TICKETS;
        }
    }

    /**
     * The place of a user with one place.
     *
     * @param user a keyed hash
     * @param place less than zero once ticket and pass have ended
     * @param ahead visitors ahead when the place was issued
     * @param until end of its ticket; once ticket and pass have ended, when no pass may be revived
     * @param taken whether a pass was taken
     */
    record UserPlace(RoomName room, VisitorId user, VisitorId visitor, long place, long ahead, Instant until,
            boolean taken) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.USER_PLACES;
        }
    }

    /** The number of admissions at a moment. */
    record Admission(RoomName room, Instant at, int number) implements CopiedRecord {
        @Override
        public CopyKind kind() {
            return CopyKind.ADMISSIONS;
        }
    }
}
