package dev.orderly.http.room;

import java.util.List;

/**
 * What a request brought that may be tokens of one room, unchecked. A token of the Authorization header is in both
 * lists, and first.
 *
 * @param tickets at most {@value RoomCookies#CANDIDATES_MAX} from cookies and as many from the header; none twice
 * @param passes as tickets
 */
public record SentTokens(List<String> tickets, List<String> passes) {
    public SentTokens {
        tickets = List.copyOf(tickets);
        passes = List.copyOf(passes);
    }
}
