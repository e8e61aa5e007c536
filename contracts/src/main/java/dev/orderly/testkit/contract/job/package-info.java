/**
 * The contract of the jobs port: {@link dev.orderly.testkit.contract.job.JobStoreContract} and its parts, one for
 * each subject.
 */
@NullMarked
package dev.orderly.testkit.contract.job;

import org.jspecify.annotations.NullMarked;
