package dev.orderly.spring.config;

import dev.orderly.room.OnFailure;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The properties of rooms, each below {@code orderly.rooms} and its name. */
public final class RoomProperties {
    private RoomProperties() {}

    /**
     * A room. One of capacity, rate and health is required.
     *
     * @param match Paths below the context path, such as /tickets/**.
     * @param hosts Hosts on which it protects them, without port. Without a value all.
     * @param bypass Paths that need no pass.
     * @param capacity Upper bound of visitors inside at once.
     * @param rate Upper bound of visitors who enter in any span of time.
     * @param health The room admits as many visitors as the application bears.
     * @param passIdle How long a visitor stays inside without a request, 10 s to 1 d. Half of it is guaranteed.
     * @param passMax The longest stay of a visitor, at least pass-idle, at most 7 d. Without a value 4 h, or pass-idle
     *     if that is longer.
     * @param ticketTtl How long a place in line is kept, 1 m to 7 d.
     * @param onFailure Admissions after the store has been out of reach for a minute: no new visitors, or all.
     * @param move Whether a visitor in line may move the place to another device by a one-time link.
     * @param waitingStatus Status of answers to waiting visitors: 503, 429, 202 or 200.
     * @param page The texts of the waiting page.
     */
    public record Room(@DefaultValue List<String> match, @DefaultValue List<String> hosts,
            @DefaultValue List<String> bypass, @Nullable Integer capacity, @DefaultValue Rate rate,
            @DefaultValue Health health, @DefaultValue("5m") Duration passIdle, @Nullable Duration passMax,
            @DefaultValue("1d") Duration ticketTtl, @DefaultValue("closed") OnFailure onFailure,
            @DefaultValue("false") boolean move, @DefaultValue("503") int waitingStatus, @DefaultValue Page page) {}

    /**
     * Most visitors who enter in any span of time.
     *
     * @param admissions Visitors in each span.
     * @param period The span, 1 s to 1 h.
     */
    public record Rate(@Nullable Integer admissions, @DefaultValue("1m") Duration period) {}

    /**
     * The room admits as many visitors as the application bears.
     *
     * @param enabled Whether it does. Without a value, if a target or max-failures is set.
     * @param target The time within which 95 % of the application's answers should begin. Without a value it is
     *     learned: twice the usual time.
     * @param maxFailures The tolerated share of failures, 0 to 1; 0.01 without a value.
     */
    public record Health(@Nullable Boolean enabled, @Nullable Duration target, @Nullable Double maxFailures) {
        /** Whether the room has the rule. */
        public boolean isOn() {
            return enabled == null ? target != null || maxFailures != null : enabled;
        }
    }

    /**
     * The texts of a waiting page. Visitors read them in their language if it has them.
     *
     * @param title The name of the site or the event. Without a value the name of the room.
     * @param text A paragraph; line ends are kept.
     * @param help The address of a help page or contact: https:, http:, mailto:, tel: or a path.
     * @param helpText The text of the link to it. Without a value the address.
     * @param languages The texts in further languages, by BCP 47 tag such as de or pt-BR.
     */
    public record Page(@Nullable String title, @Nullable String text, @Nullable String help, @Nullable String helpText,
            @DefaultValue Map<String, Texts> languages) {
        public Page {
            languages = Collections.unmodifiableMap(new TreeMap<>(languages));
        }
    }

    /**
     * The texts of a waiting page in one language. A text that is left out is that of the page.
     *
     * @param title The name of the site or the event.
     * @param text A paragraph; line ends are kept.
     * @param help The address of a help page or contact: https:, http:, mailto:, tel: or a path.
     * @param helpText The text of the link to it.
     */
    public record Texts(@Nullable String title, @Nullable String text, @Nullable String help,
            @Nullable String helpText) {}
}
