/**
 * What is published, as those who depend on it get it: from a repository, into a project that knows
 * nothing else of ours.
 *
 * <p>Called by the build only; Maven and the program run in processes of their own.
 */
package io.entroq.system.published;
