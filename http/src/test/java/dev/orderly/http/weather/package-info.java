/** The edge in bad weather: clients that are greedy, hostile or broken, and what others get all the same. */
@NullMarked
package dev.orderly.http.weather;

import org.jspecify.annotations.NullMarked;
