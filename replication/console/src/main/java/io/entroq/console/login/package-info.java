/**
 * How users log in: not at all, with a password, with a certificate, or at an identity provider. A
 * session is a signed cookie, so nothing is stored, and any member that has the secret knows it.
 * Any thread.
 */
package io.entroq.console.login;
