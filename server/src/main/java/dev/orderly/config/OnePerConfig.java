package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.ValueTypes;
import org.jspecify.annotations.Nullable;

/** One place a user in a room of the file, and the page that signs users in. */
final class OnePerConfig {
    static final KeySpec.Key<OnePer> ONE_PER = new KeySpec.Key<>("one-per", ValueTypes.choice(OnePer.class),
            new Absent.Depends("any number"),
            "`user`: each user has one place, on all devices, and a visitor who is not signed in has none. Needs"
                    + " `users.jwt`.");
    static final KeySpec.Key<String> SIGN_IN = new KeySpec.Key<>("sign-in", RoomValueTypes.signIn(),
            new Absent.Depends("no link"),
            "The page that signs users in, for a room with `one-per`: an address or a path. It gets the page to go on"
                    + " to as the parameter `back`.");

    private OnePerConfig() {}

    /** Who has one place. */
    enum OnePer {
        USER
    }

    /** Its part of the line in the log. */
    static String inForce(@Nullable String signIn) {
        return "one-per user" + (signIn == null ? "" : " sign-in " + signIn);
    }

    static boolean isOn(CheckedSection at) {
        return at.value(ONE_PER).isPresent();
    }

    /** The page that signs users in; null for none. */
    static @Nullable String signIn(CheckedSection at) {
        if (at.has(SIGN_IN) && !at.has(ONE_PER)) {
            at.report(SIGN_IN, "The room has no one-per, so nobody has to sign in",
                    "set one-per: user, or remove sign-in");
        }
        return at.value(SIGN_IN).orElse(null);
    }
}
