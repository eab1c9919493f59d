/**
 * Who may do what: a service that asks an authorizer before it lets a request through to another
 * one.
 *
 * <p>The authorizer is an Open Policy Agent over HTTP, which decides by policies that are not ours.
 * Nothing is allowed that it has not allowed: no answer, and an answer that cannot be read, are no.
 * Any thread; nothing blocks.
 */
package io.entroq.service.authorization;
