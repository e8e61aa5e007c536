package dev.orderly.web.room;

import dev.orderly.Internal;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.page.ReaderLanguages;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.room.page.PageState;
import dev.orderly.web.room.page.PageView;
import dev.orderly.web.room.page.ShownLimits;
import dev.orderly.web.room.page.WaitingPage;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A site whose rooms cannot decide yet, because their store has not been reached since the start: every request gets
 * 503, and no origin is asked. On the paths of a room people get its waiting page, which asks again by itself.
 * Thread-safe, never blocks.
 *
 * @param fronts the rooms
 */
@Internal(to = "dev.orderly")
public record UnavailableSite(List<Front> fronts) implements EdgeHandler {
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final String DETAIL = "The server is being prepared: nothing was done, try again";

    /** A room by its paths and its page. */
    public record Front(RoomMatch match, WaitingPage page) {
        public Front {
            Objects.requireNonNull(match, "match");
            Objects.requireNonNull(page, "page");
        }

        private boolean isFor(EdgeRequest request) {
            return match.isFor(request.host()) && match.paths().stream()
                    .anyMatch(path -> path.mayMatch(request.path(), request.head().query()));
        }
    }

    public UnavailableSite {
        Objects.requireNonNull(fronts, "fronts");
        fronts = List.copyOf(fronts);
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        Objects.requireNonNull(next, "next");
        RequestHead head = request.head();
        Front front = request.malformed() == null ? front(request) : null;
        if (front != null && AnswerPreference.of(head.headers().getAll("Accept")) == AnswerPreference.HTML) {
            PageView view = new PageView(new PageState.Unavailable(), new ShownLimits(null, null), null, RETRY);
            return new Match.Immediate(WaitingAnswers.page(front.page, view,
                    ReaderLanguages.of(head.headers().getAll("Accept-Language")), ProblemType.UNAVAILABLE.status()));
        }
        throw new ProblemException(new Problem(ProblemType.UNAVAILABLE, DETAIL).withHeader("Retry-After",
                Long.toString(RETRY.toSeconds())));
    }

    private @Nullable Front front(EdgeRequest request) {
        return fronts.stream().filter(front -> front.isFor(request)).findFirst().orElse(null);
    }
}
