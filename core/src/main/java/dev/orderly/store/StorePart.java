package dev.orderly.store;

import java.util.Objects;

/**
 * A server or a file behind a store, which fails by itself.
 *
 * @param name for operators: a URL without secrets
 * @param content what cannot be read and written while the part does not answer
 * @param shared whether other processes have it open too, so that its outage is none of this node: no other node would
 *     do better
 * @param probe writes a mark without a meaning and blocks until it is durable; throws {@link StoreException} if it
 *     cannot be written
 */
public record StorePart(String name, Content content, boolean shared, Runnable probe) {
    /** What a part keeps. */
    public enum Content {
        ALL("store", "jobs and rooms"), JOBS("store of jobs", "jobs, schedules, access and history"),
        ROOMS("store of rooms", "rooms and live messages");

        private final String title;
        private final String text;

        Content(String title, String text) {
            this.title = title;
            this.text = text;
        }

        /** The part by what it keeps, as a noun without an article. */
        public String title() {
            return title;
        }

        /** What it keeps, in words. */
        public String text() {
            return text;
        }
    }

    public StorePart {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(probe, "probe");
    }

    /** The same part, of which only this content is used. */
    public StorePart with(Content used) {
        Objects.requireNonNull(used, "used");
        return new StorePart(name, used, shared, probe);
    }
}
