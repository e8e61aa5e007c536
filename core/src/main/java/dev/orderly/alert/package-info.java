/**
 * Alerts: conditions that an operator has to hear of, as a state machine that knows neither stores nor receivers. Rules
 * and state are here; {@code server} observes and keeps the state, {@code http} delivers.
 */
@Internal(to = {"dev.orderly.cli", "dev.orderly.config", "dev.orderly.http", "dev.orderly.server"})
@NullMarked
package dev.orderly.alert;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
