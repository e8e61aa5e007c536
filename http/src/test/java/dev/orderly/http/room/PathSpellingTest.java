package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.PathSpellings;
import dev.orderly.web.path.RawConnection;
import dev.orderly.web.path.ServerReadings;
import dev.orderly.web.room.RoomMatch;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the site behind an edge makes of the paths that reach it. */
class PathSpellingTest {
    @Test
    void noServerReadsAPathThatReachesItWithoutATicketAsOneOfTheRoom() {
        try (RoomNode node = new RoomNode(RoomNode.ONE_INSIDE, RoomMatch.of("/tickets/**", "/events/*/buy", "/search"),
                TrustedProxies.NONE)) {
            Guest.inside(node);
            node.reached.clear();
            Set<String> spellings = new LinkedHashSet<>(PathSpellings.of("", "tickets", "a"));
            spellings.addAll(PathSpellings.withOneOddPart("", "events", "7", "buy"));
            spellings.addAll(PathSpellings.withOneOddPart("", "search"));
            Map<Integer, Integer> statuses = new LinkedHashMap<>();
            try (RawConnection client = new RawConnection(node.edge.port())) {
                for (String spelling : spellings) {
                    statuses.merge(client.status("GET", spelling, "Sec-Fetch-Dest: image\r\n"), 1, Integer::sum);
                }
            }

            assertThat(statuses.keySet()).contains(200, 400, 503).isSubsetOf(200, 400, 503);
            assertThat(node.reached).allSatisfy(line -> assertThat(ServerReadings.of(line.split(" ", -1)[1]
                    .replaceFirst("\\?.*", ""))).as(line).noneMatch(ServerReadings::isInRoom));
        }
    }
}
