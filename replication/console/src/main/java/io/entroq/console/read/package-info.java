/**
 * What pages read: bounded questions to the service on behalf of a visitor, each with the time that
 * is left for the page. Nothing here lists a queue as a whole or walks over all queues. Blocks; on
 * the threads of the console only.
 */
package io.entroq.console.read;
