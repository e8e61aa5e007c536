package dev.orderly.store.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.store.copy.CopiedRecord.Course;
import dev.orderly.store.copy.CopiedRecord.Job;
import dev.orderly.store.copy.CopiedRecord.Pass;
import dev.orderly.store.copy.CopiedRecord.Pushed;
import dev.orderly.store.copy.CopiedRecord.UsedPlaces;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CopySumTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void everyPartOfARecordChangesTheChecksum() {
        Course none = new Course(0, 0, null, null, null);
        RoomName room = new RoomName("sale");
        VisitorId visitor = new VisitorId(1, 2);
        UsedPlaces used = UsedPlaces.none(room, 0);
        used.add(7);
        List<CopiedRecord> different = List.of(job(1, null, "a", none), job(2, null, "a", none),
                job(1, "ref", "a", none), job(1, null, "b", none),
                job(1, null, "a", new Course(1, 0, null, null, null)),
                job(1, null, "a", new Course(0, 1, null, null, null)),
                job(1, null, "a", new Course(0, 0, "1 2 x", null, null)),
                job(1, null, "a", new Course(0, 0, null, null, "1 2 x")),
                job(1, null, "a", new Course(0, 0, null, new JobFailure("x", ""), null)),
                job(1, null, "a", new Course(0, 0, null, new JobFailure("", "x"), null)),
                new CopiedRecord.Queue(MAIL, true, false, false),
                new CopiedRecord.Queue(MAIL, false, true, false), new CopiedRecord.Queue(MAIL, false, false, true),
                new CopiedRecord.KeySetting(MAIL, "a", KeySettings.NONE),
                new CopiedRecord.KeySetting(MAIL, "a", KeySettings.NONE.withPaused(true)),
                new CopiedRecord.KeySetting(MAIL, "b", KeySettings.NONE),
                new CopiedRecord.Dedupe(new DedupeKey(1, 2), null, JobId.of(1, 1)),
                new CopiedRecord.Dedupe(new DedupeKey(1, 2), new DedupeKey(1, 2), JobId.of(1, 1)),
                UsedPlaces.none(room, 0), used, new Pass(room, visitor, 1, NOON, true),
                new Pass(room, visitor, 1, NOON, false), new Pass(room, visitor, 1, NOON.plusMillis(1), true));
        Set<String> sums = new HashSet<>();
        different.forEach(each -> assertThat(sums.add(sum(each))).as("%s", each).isTrue());
    }

    @Test
    void theOrderOfRecordsDoesNotMatterButTheirNumberDoes() {
        CopiedRecord one = new CopiedRecord.Queue(MAIL, true, false, false);
        CopiedRecord other = new CopiedRecord.Queue(MAIL, false, false, false);
        assertThat(sum(one, other)).isEqualTo(sum(other, one)).isNotEqualTo(sum(one)).isNotEqualTo(sum(one, one));
    }

    private static Job job(long sequence, @Nullable String user, String body, Course course) {
        return new Job(new Pushed(JobId.of(sequence, 9), MAIL, null, Priority.NORMAL, null,
                user == null ? Map.of() : Map.of("user", user), null, null, JobTerms.NONE), course,
                Job.State.OPEN, 0, 0, null, 0, Payload.text(body), null);
    }

    private static String sum(CopiedRecord... records) {
        CopySum sum = new CopySum();
        List.of(records).forEach(sum::add);
        return sum.count() + " " + sum.checksum();
    }
}
