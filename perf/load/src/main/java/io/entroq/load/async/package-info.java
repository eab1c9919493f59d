/**
 * Load without threads that wait: loops whose next call begins on the thread that answers the one
 * before. One thread starts and ends them.
 */
package io.entroq.load.async;
