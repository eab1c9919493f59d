/**
 * How users log in: not at all, with a password, or with a certificate. A session is a signed
 * cookie, so nothing is stored, and any member that has the secret knows it. Any thread.
 */
package io.entroq.console.login;
