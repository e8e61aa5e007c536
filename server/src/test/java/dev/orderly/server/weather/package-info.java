/** What a real server keeps to when machines, files and disks do not. */
@NullMarked
package dev.orderly.server.weather;

import org.jspecify.annotations.NullMarked;
