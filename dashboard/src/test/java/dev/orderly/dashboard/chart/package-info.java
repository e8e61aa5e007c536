@NullMarked
package dev.orderly.dashboard.chart;

import org.jspecify.annotations.NullMarked;
