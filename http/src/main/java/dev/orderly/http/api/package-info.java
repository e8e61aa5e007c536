/** The API of the admin listener: shows and operates jobs, queues, rooms, schedules and users. */
@NullMarked
package dev.orderly.http.api;

import org.jspecify.annotations.NullMarked;
