/** Who uses the console, what they may do, and for how long. Immutable; any thread. */
package io.entroq.console.user;
