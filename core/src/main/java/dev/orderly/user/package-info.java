/** Users: the owners of requests, jobs and connections. A user is an id; profiles stay with the application. */
@NullMarked
package dev.orderly.user;

import org.jspecify.annotations.NullMarked;
