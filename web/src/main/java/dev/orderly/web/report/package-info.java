/** Reports about rooms for people: a page and a table that stand alone, and pictures. */
@Internal(to = {"dev.orderly.dashboard", "dev.orderly.cli", "dev.orderly.rehearsal"})
@NullMarked
package dev.orderly.web.report;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
