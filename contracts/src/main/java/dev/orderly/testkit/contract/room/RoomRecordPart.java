package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.VisitorRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of one visitor, found by the id alone. */
public interface RoomRecordPart extends RoomPart {
    private VisitorRecord find(TicketHolder visitor) {
        return trial().rooms().find(SALE, visitor.id(), trial().now());
    }

    private VisitorRecord pass(TicketHolder visitor, Duration life, boolean taken) {
        return new VisitorRecord(new VisitorRecord.LivePass(visitor.place(), trial().in(life), taken), null, null);
    }

    @Test
    default void aLivePassIsFoundByItsVisitor() {
        List<TicketHolder> line = trial().called(3, Limits.NONE);
        trial().admit(AdmissionRequest.Kind.UNTAKEN, line.get(0));
        trial().admit(line.get(1));
        assertThat(find(line.get(0))).isEqualTo(pass(line.get(0), PASS, false));
        assertThat(find(line.get(1))).isEqualTo(pass(line.get(1), PASS, true));
        assertThat(find(line.get(2))).as("a visitor who waits").isEqualTo(VisitorRecord.NONE);
        trial().pass(Duration.ofMinutes(1));
        assertThat(trial().renew(line.get(1), PASS)).isTrue();
        trial().crash();
        assertThat(find(line.get(1))).isEqualTo(pass(line.get(1), PASS, true));
        trial().pass(PASS);
        assertThat(find(line.get(1))).isEqualTo(VisitorRecord.NONE);
    }

    @Test
    default void aPlaceIsFoundByItsNumber() {
        List<TicketHolder> line = trial().called(4, Limits.NONE);
        trial().admit(AdmissionRequest.Kind.UNTAKEN, line.get(0));
        trial().admit(line.get(1));
        trial().depart(line.get(2));
        assertThat(use(line.get(0))).isEqualTo(new PlaceUse(line.get(0).id(), false));
        assertThat(use(line.get(1))).isEqualTo(new PlaceUse(line.get(1).id(), true));
        assertThat(use(line.get(2))).as("a place that was given back").isEqualTo(new PlaceUse(null, true));
        assertThat(use(line.get(3))).as("a visitor who waits").isEqualTo(PlaceUse.NONE);
        assertThat(trial().rooms().use(SALE, 1_000_000, trial().now())).isEqualTo(PlaceUse.NONE);
        trial().crash();
        assertThat(use(line.get(1))).isEqualTo(new PlaceUse(line.get(1).id(), true));
        trial().pass(PASS);
        assertThat(use(line.get(0))).as("a pass that was not shown").isEqualTo(PlaceUse.NONE);
        assertThat(use(line.get(1))).as("a stay that has ended").isEqualTo(new PlaceUse(null, true));
        trial().change(new RoomChange.NewEpoch());
        assertThat(use(line.get(1))).isEqualTo(PlaceUse.NONE);
    }

    private PlaceUse use(TicketHolder visitor) {
        return trial().rooms().use(SALE, visitor.place(), trial().now());
    }

    @Test
    default void aRevocationAndAMoveAreFoundByTheirVisitor() {
        List<TicketHolder> line = trial().called(2, Limits.NONE);
        trial().revoke(line.get(0), Duration.ofHours(1));
        TicketHolder later = trial().move(line.get(1));
        assertThat(find(line.get(0))).isEqualTo(new VisitorRecord(null, trial().in(Duration.ofHours(1)), null));
        assertThat(find(line.get(1)).movedTo()).isEqualTo(later.id());
        assertThat(find(line.get(1)).voidUntil()).isNotNull();
        assertThat(find(later)).isEqualTo(VisitorRecord.NONE);
        trial().admit(later);
        assertThat(find(later)).isEqualTo(pass(later, PASS, true));
        trial().change(new RoomChange.NewEpoch());
        assertThat(line).allSatisfy(visitor -> assertThat(find(visitor)).isEqualTo(VisitorRecord.NONE));
    }
}
