/**
 * Calls the service as any client would, through its filters: a call has a user, a deadline and one
 * response. Nothing here blocks, and no page reaches the engine in another way.
 */
package io.entroq.console.call;
