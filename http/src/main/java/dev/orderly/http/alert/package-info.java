/**
 * Alerts: conditions that an operator has to hear of, as a state machine that knows neither stores nor receivers. Rules
 * and state are here; {@code server} observes and keeps the state, the webhooks deliver.
 */
@NullMarked
package dev.orderly.http.alert;

import org.jspecify.annotations.NullMarked;
