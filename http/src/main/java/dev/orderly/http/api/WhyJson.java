package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.JobId;
import dev.orderly.job.diagnosis.BatchDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.room.RoomName;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.store.VisitorRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What keeps a job from running. */
@Doc(name = "JobDiagnosis")
record WhyJson(JobId job, JobDiagnosis.Cause cause, @Doc(SENTENCE) String sentence, @Doc(REMEDY) String remedy,
        @Doc("The job of the same group that must end first.") @Nullable JobId blocker,
        @Doc(value = "Jobs that go first.", facets = "maximum: 10000") @Nullable Integer ahead,
        @Doc("When it ended, is due, or began to run.") @Nullable Instant at) {
    static final String SENTENCE = "The cause for people.";
    static final String REMEDY = "What an operator may do; empty if there is nothing to do.";

    static WhyJson of(JobDiagnosis why) {
        return new WhyJson(why.job(), why.cause(), why.sentence(), why.remedy(), why.blocker(), why.ahead(), why.at());
    }

    /** What the callback of a batch waits for. */
    @Doc(name = "BatchDiagnosis")
    record Batch(String batch, BatchDiagnosis.Cause cause, @Doc(SENTENCE) String sentence, @Doc(REMEDY) String remedy,
            @Doc("The job to look at: the callback, the oldest member that has not ended, or a dead"
                    + " letter.") @Nullable JobId job) {
        static Batch of(BatchDiagnosis why) {
            return new Batch(why.batch().value(), why.cause(), why.sentence(), why.remedy(), why.job());
        }
    }

    /** What keeps a visitor from entering. */
    @Doc(name = "VisitorDiagnosis")
    record Visitor(String room, VisitorDiagnosis.Cause cause, @Doc(SENTENCE) String sentence,
            @Doc(REMEDY) String remedy, @Doc(facets = "minimum: 1") @Nullable Long place,
            @Doc("Visitors who go first.") @Nullable Long ahead,
            @Doc("Until when the visitor counts as present, by all gates that answered; in the past for a visitor who"
                    + " is away.") @Nullable Instant presentUntil,
            @Doc("Whether a page of the visitor is connected by events.") boolean connected,
            @Doc("The node that saw the visitor last, by host and process; null if it is not"
                    + " known.") @Nullable String gate,
            @Doc("What is known of the past; no store writes down each step of a visit.") History history,
            @Doc(NodeJson.UNREACHABLE) List<String> unreachable) {
        static Visitor of(RoomName room, VisitorDiagnosis why) {
            return new Visitor(room.value(), why.cause(), why.sentence(), why.remedy(),
                    why.place() == null ? null : Long.valueOf(Tiers.number(why.place())), why.ahead(),
                    why.presence().until(), why.presence().connected(), why.presence().gate(),
                    History.of(why.history()), why.unreachable());
        }
    }

    /** The past of a visitor. */
    record History(@Doc("When the place was taken; null unless the ticket is known.") @Nullable Instant joined,
            @Doc("The visitor's id; null if the ticket number alone is known.") @Nullable VisitorId visitor,
            @Doc("End of the live pass, unless it is renewed; by id or ticket number only, as the"
                    + " fields below.") @Nullable Instant passUntil,
            @Doc("Whether the visitor has shown the pass.") @Nullable Boolean passTaken,
            @Doc("Until when the tokens are listed as void.") @Nullable Instant voidUntil,
            @Doc("The visitor who has the place now.") @Nullable VisitorId movedTo) {
        private static History of(VisitorDiagnosis.History known) {
            VisitorRecord stored = known.stored();
            VisitorRecord.LivePass pass = stored.pass();
            return new History(known.joined(), known.visitor(), pass == null ? null : pass.until(),
                    pass == null ? null : Boolean.valueOf(pass.taken()), stored.voidUntil(),
                    stored.movedTo());
        }
    }
}
