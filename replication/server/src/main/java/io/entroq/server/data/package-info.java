/**
 * Where what a command writes has its place on the disk. Called by commands, on their main thread.
 */
package io.entroq.server.data;
