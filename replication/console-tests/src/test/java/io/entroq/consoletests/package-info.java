/**
 * The console as people see it: a server as a process, a browser, and what a browser shows, does
 * and complains about. Skipped where no browser is installed.
 */
package io.entroq.consoletests;
