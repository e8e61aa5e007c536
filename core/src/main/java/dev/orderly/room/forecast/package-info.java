/**
 * Forecasts of waits, learned at one gate from how visitors came, waited and left: {@link
 * dev.orderly.room.forecast.Forecaster}.
 */
@NullMarked
package dev.orderly.room.forecast;

import org.jspecify.annotations.NullMarked;
