/** Users: who a request, a job or a connection belongs to. An id and nothing else; profiles stay with the application. */
@NullMarked
package dev.orderly.user;

import org.jspecify.annotations.NullMarked;
