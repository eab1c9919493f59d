/**
 * What operators can do: each action asks first, on a page that works without script, and then does
 * it as one write on behalf of the visitor, at the version that the visitor has seen. Its outcome
 * is told in plain words. On the threads of the console, which may block for some seconds.
 */
package io.entroq.console.action;
