/**
 * The pages for operators, as one handler of requests: {@link dev.orderly.dashboard.Dashboard}. Listener, login and
 * sessions belong to the server that mounts it.
 */
@NullMarked
package dev.orderly.dashboard;

import org.jspecify.annotations.NullMarked;
