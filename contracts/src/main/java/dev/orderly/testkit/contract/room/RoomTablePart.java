package dev.orderly.testkit.contract.room;

import dev.orderly.room.RoomName;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The rules as a table: every request by visitors in every situation, in rooms of every state, compared with the model.
 */
public interface RoomTablePart extends RoomPart {
    @Test
    default void everyRequestInEverySituationHasTheOutcomeOfTheModel() {
        for (RoomTableRun.FreeAdmissions hall : RoomTableRun.FreeAdmissions.values()) {
            for (RoomTableRun.Request request : RoomTableRun.Request.values()) {
                String name = (hall + "-" + request).toLowerCase(Locale.ROOT).replace('_', '-');
                new RoomTableRun(trial(), new RoomName(name)).check(hall, request);
            }
        }
    }
}
