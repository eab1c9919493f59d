/** What holds of a request by whichever way it comes to a server. */
package io.entroq.service.transport;
