/**
 * The check of visitors who ask for a place, by a program of the operator's: {@link
 * dev.orderly.web.room.check.JoinCheck}.
 */
@NullMarked
package dev.orderly.web.room.check;

import org.jspecify.annotations.NullMarked;
