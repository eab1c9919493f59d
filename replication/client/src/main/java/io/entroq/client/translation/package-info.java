/**
 * Translates between the Java API and the messages of the v1 API, among them the details of
 * failures. Any thread.
 *
 * <p>Public for the client alone, and for tools that read a server without it.
 */
package io.entroq.client.translation;
